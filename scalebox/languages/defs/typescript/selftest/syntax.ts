let x: number = ;
