"""What the hardware of the Nintendo DS defines as data: geometry commands, packed display lists, the seven texel
formats, RGB5, 2D tiles, sprite attributes.

One set of scalar texel kernels serves the decoding of files and the 3D engine; only the addressing of format 5's index
words differs."""
