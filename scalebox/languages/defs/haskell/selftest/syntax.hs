main = print ("five" + )
