package chart

import "samizdat/rules/dawn1989/engine"

// The layout of the maps is our own: a grid of seven columns, in which every
// space lies roughly where it lies in Europe, and almost every connection leads
// to a neighbour in the grid. The map in text and the picture share it.

// cell is where a space lies: a column and a row of the grid.
type cell struct{ col, row float64 }

// Poland has four rows of spaces beside East Germany's five.
const (
	polandB = 4. / 3
	polandC = 8. / 3
)

const (
	gridColumns = 7
	gridRows    = 17
)

// cells are the spaces' places, by number.
var cells = [engine.Spaces]cell{
	// East Germany.
	1: {1, 0}, 2: {2, 0},
	4: {0, 1}, 5: {1, 1}, 3: {2, 1},
	6: {1, 2},
	7: {0, 3}, 8: {1, 3}, 9: {2, 3},
	10: {0, 4}, 11: {1, 4}, 12: {2, 4},
	// Poland.
	13: {3, 0}, 14: {4, 0}, 18: {6, 0},
	16: {3, polandB}, 15: {4, polandB}, 17: {5, polandB}, 24: {6, polandB},
	20: {4, polandC}, 21: {5, polandC}, 26: {6, polandC},
	19: {3, 4}, 22: {4, 4}, 23: {5, 4}, 25: {6, 4},
	// Czechoslovakia.
	27: {1, 5}, 29: {2, 5}, 32: {3, 5}, 33: {4, 5}, 36: {6, 5},
	28: {1, 6}, 30: {2, 6}, 31: {3, 6}, 34: {4, 6}, 35: {5, 6}, 37: {6, 6},
	// Hungary.
	38: {1, 7}, 39: {2, 7}, 40: {3, 7}, 41: {4, 7}, 42: {5, 7},
	43: {1, 8}, 44: {2, 8}, 45: {3, 8}, 47: {4, 8}, 46: {5, 8},
	49: {1, 9}, 48: {2, 9},
	// Romania.
	54: {4, 9}, 55: {5, 9}, 56: {6, 9},
	50: {2, 10}, 51: {4, 10}, 52: {5, 10}, 53: {6, 10},
	58: {3, 11}, 57: {5, 11},
	60: {3, 12}, 61: {4, 12}, 59: {5, 12}, 62: {6, 12},
	63: {5, 13},
	// Bulgaria.
	70: {4, 13},
	64: {2, 14}, 65: {3, 14}, 66: {4, 14}, 72: {5, 14},
	67: {2, 15}, 68: {3, 15}, 69: {4, 15}, 71: {5, 15},
	73: {2, 16}, 74: {3, 16}, 75: {4, 16},
}

// labelCells are the places of the countries' names, in cells without a space.
var labelCells = [engine.Countries]cell{
	engine.EastGermany: {0, 0}, engine.Poland: {5, 0}, engine.Czechoslovakia: {0, 5}, engine.Hungary: {0, 7},
	engine.Romania: {2, 12}, engine.Bulgaria: {2, 13},
}
