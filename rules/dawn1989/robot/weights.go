package robot

// fittedLeaf has the weights that training has come to.
var fittedLeaf = Leaf{
	{568, 79, 961},      // bias
	{1078, 90, 1530},    // vp
	{-96, -26, -226},    // vp near
	{-70, -16, -151},    // vpabs3
	{781, -1, 776},      // East Germany controls
	{292, -215, -785},   // East Germany battles
	{-696, -81, -1101},  // East Germany level
	{-17, 49, 227},      // East Germany level*due
	{-80, 23, 35},       // East Germany fight*due
	{335, -34, 167},     // East Germany power held
	{610, -276, -770},   // East Germany power times
	{-828, 54, -557},    // East Germany presence
	{2413, -106, 1884},  // East Germany margin
	{797, -65, 474},     // East Germany reserve
	{273, -90, -176},    // Poland controls
	{282, 8, 320},       // Poland battles
	{-440, 19, -345},    // Poland level
	{914, -56, 635},     // Poland level*due
	{-393, -53, -658},   // Poland fight*due
	{919, 85, 1343},     // Poland power held
	{231, -168, -611},   // Poland power times
	{-723, -12, -783},   // Poland presence
	{1415, -79, 1022},   // Poland margin
	{41, 7, 76},         // Poland reserve
	{619, -46, 390},     // Czechoslovakia controls
	{-14, 66, 317},      // Czechoslovakia battles
	{-794, 10, -742},    // Czechoslovakia level
	{498, 24, 619},      // Czechoslovakia level*due
	{-43, 24, 79},       // Czechoslovakia fight*due
	{468, 10, 517},      // Czechoslovakia power held
	{550, -269, -795},   // Czechoslovakia power times
	{106, -19, 9},       // Czechoslovakia presence
	{450, 77, 834},      // Czechoslovakia margin
	{541, -84, 118},     // Czechoslovakia reserve
	{58, -30, -92},      // Hungary controls
	{180, 2, 189},       // Hungary battles
	{593, 72, 952},      // Hungary level
	{487, 32, 645},      // Hungary level*due
	{333, 14, 401},      // Hungary fight*due
	{127, -10, 79},      // Hungary power held
	{244, -70, -105},    // Hungary power times
	{-511, 42, -301},    // Hungary presence
	{516, -41, 310},     // Hungary margin
	{413, -49, 166},     // Hungary reserve
	{25, 111, 581},      // Romania controls
	{-283, 181, 621},    // Romania battles
	{-576, 32, -416},    // Romania level
	{-445, -1, -450},    // Romania level*due
	{-211, -9, -258},    // Romania fight*due
	{428, 55, 702},      // Romania power held
	{271, -38, 82},      // Romania power times
	{-687, -8, -730},    // Romania presence
	{156, 116, 738},     // Romania margin
	{456, 81, 861},      // Romania reserve
	{299, -65, -27},     // Bulgaria controls
	{-106, 124, 512},    // Bulgaria battles
	{-460, 13, -394},    // Bulgaria level
	{251, 73, 615},      // Bulgaria level*due
	{298, 32, 456},      // Bulgaria fight*due
	{706, -49, 462},     // Bulgaria power held
	{291, -83, -126},    // Bulgaria power times
	{-44, -83, -461},    // Bulgaria presence
	{1353, 95, 1829},    // Bulgaria margin
	{981, -29, 834},     // Bulgaria reserve
	{2346, -24, 2226},   // hand ops
	{-2031, 38, -1843},  // hand cards
	{470, 126, 1100},    // hand own
	{-1536, -46, -1766}, // hand enemy
	{-58, 53, 207},      // hand scoring D
	{-72, 15, 4},        // hand scoring C
	{-36, -62, -344},    // tiananmen
	{517, 79, 910},      // others
	{1516, -48, 1277},   // elite
	{183, 1, 190},       // bureaucrat
	{104, 19, 200},      // farmer
	{454, 58, 745},      // worker
	{-15, -66, -346},    // intellectual
	{-557, 29, -413},    // student
	{1063, -78, 675},    // church
	{-693, -37, -877},   // minority
	{735, -22, 626},     // phasing
	{-26, 34, 145},      // USSR
	{388, -201, -617},   // in force D
	{396, 8, 435},       // in force C
	{44, -68, -294},     // box1
	{546, -178, -346},   // box2
	{-471, -38, -662},   // box3
	{-560, -138, -1250}, // box4
	{354, 86, 785},      // box5
	{141, 29, 288},      // box6
	{104, 21, 211},      // box7
	{0, 0, 0},           // box8
	{3165, 179, 4060},   // sensible
}
