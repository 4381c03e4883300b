package robot

// fittedLeaf has the weights of the features of ComputeFeatures. They are the first generation of
//
//	tools/train --games 350 --every 2 --league 120
//
// out of the weights of a prototype, which were fitted to matches of the sensible robot.
var fittedLeaf = Leaf{
	{114, 106, 865},     // constant
	{1172, 117, 1839},   // VP
	{-146, -30, -303},   // VP over 10
	{-189, 6, -205},     // VP cubed
	{1294, -11, 1081},   // East Germany spaces
	{358, -56, -338},    // East Germany battlegrounds
	{-1264, -229, -761}, // East Germany scored now
	{226, 51, 263},      // East Germany scored when due
	{-35, 7, 237},       // East Germany struggle when due
	{184, -72, -243},    // East Germany Power held
	{707, -254, -872},   // East Germany Power times
	{-1454, 174, 128},   // East Germany presence
	{2734, -95, 1816},   // East Germany margin
	{822, -54, -173},    // East Germany reserve
	{110, -19, 339},     // Poland spaces
	{355, 57, 438},      // Poland battlegrounds
	{-451, 119, -306},   // Poland scored now
	{620, -88, 581},     // Poland scored when due
	{-621, -54, -646},   // Poland struggle when due
	{493, 122, 971},     // Poland Power held
	{125, -247, -1264},  // Poland Power times
	{-966, 64, -389},    // Poland presence
	{1716, -144, 932},   // Poland margin
	{95, 114, 447},      // Poland reserve
	{1485, -52, 371},    // Czechoslovakia spaces
	{-521, 93, 62},      // Czechoslovakia battlegrounds
	{-1142, -25, -728},  // Czechoslovakia scored now
	{452, 27, 469},      // Czechoslovakia scored when due
	{-365, -15, 31},     // Czechoslovakia struggle when due
	{768, 22, 817},      // Czechoslovakia Power held
	{820, -171, -398},   // Czechoslovakia Power times
	{-458, 94, 109},     // Czechoslovakia presence
	{743, 129, 536},     // Czechoslovakia margin
	{560, -132, 218},    // Czechoslovakia reserve
	{426, -53, -160},    // Hungary spaces
	{-107, 84, -83},     // Hungary battlegrounds
	{412, 144, 890},     // Hungary scored now
	{519, 30, 637},      // Hungary scored when due
	{527, 3, 402},       // Hungary struggle when due
	{243, -39, 278},     // Hungary Power held
	{133, -211, -175},   // Hungary Power times
	{-695, 27, 131},     // Hungary presence
	{793, -142, 484},    // Hungary margin
	{492, -122, 238},    // Hungary reserve
	{-103, 113, 67},     // Romania spaces
	{-199, 211, 436},    // Romania battlegrounds
	{-608, 6, -910},     // Romania scored now
	{-460, 0, -115},     // Romania scored when due
	{-327, -4, -82},     // Romania struggle when due
	{-216, 41, 695},     // Romania Power held
	{856, 102, 790},     // Romania Power times
	{-1013, -38, -1138}, // Romania presence
	{190, 126, 800},     // Romania margin
	{387, 15, 129},      // Romania reserve
	{530, -57, 278},     // Bulgaria spaces
	{-118, 87, 441},     // Bulgaria battlegrounds
	{-734, -11, -236},   // Bulgaria scored now
	{481, 72, 711},      // Bulgaria scored when due
	{436, 35, 593},      // Bulgaria struggle when due
	{1168, -100, -228},  // Bulgaria Power held
	{27, -64, -538},     // Bulgaria Power times
	{-320, 47, -161},    // Bulgaria presence
	{1952, 156, 1830},   // Bulgaria margin
	{1577, -52, 1286},   // Bulgaria reserve
	{2970, -183, 2609},  // Ops in hands
	{-2976, 74, -1993},  // cards in hands
	{329, 63, 1400},     // own Ops
	{-1722, -73, -1839}, // Ops with enemy's event
	{27, -55, -542},     // scoring cards of the Democrat
	{-44, 23, -735},     // scoring cards of the Communist
	{24, -68, -199},     // Tiananmen boxes
	{862, 168, 1096},    // effects in force
	{1629, -20, 1689},   // elite
	{712, 9, 335},       // bureaucrats
	{171, 47, 169},      // farmers
	{760, 7, 905},       // workers
	{362, -51, 138},     // intellectuals
	{-439, 10, -717},    // students
	{1636, -60, 433},    // church
	{-1093, -24, -977},  // minorities
	{618, 21, 265},      // phasing
	{-107, 34, -78},     // U.S.S.R.
	{771, -263, -1410},  // Democrat's cards in force
	{535, 67, 536},      // Communist's cards in force
	{155, -152, -96},    // box 1
	{560, -145, 241},    // box 2
	{-286, -45, -524},   // box 3
	{-389, -99, -1459},  // box 4
	{39, 19, 883},       // box 5
	{160, 34, 281},      // box 6
	{104, 21, 229},      // box 7
	{0, 0, 0},           // box 8
	{3253, 143, 5610},   // common sense
}
