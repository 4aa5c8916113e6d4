module main;
  initial $finish_and_return(3);
endmodule
