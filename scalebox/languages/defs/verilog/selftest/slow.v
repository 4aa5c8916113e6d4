module main;
  reg [63:0] x;
  initial begin
    x = 1;
    while (x != 0) x = x * 3 | 1;
    $finish;
  end
endmodule
