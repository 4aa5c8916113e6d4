def main():
    print("main ran")


print(__name__)
if __name__ == "__main__":
    main()
