package search

// Unit is the argument of Logistic that means 1.
const Unit = 1 << 10

// logisticTable has the logistic function, times Certain, of 0, 1/16, 2/16 and so on to 8.
var logisticTable = [...]int32{
	32768, 33792, 34813, 35831, 36843, 37847, 38841, 39824, 40793, 41748, 42687, 43608,
	44511, 45393, 46254, 47094, 47911, 48704, 49474, 50220, 50941, 51638, 52310, 52957,
	53581, 54179, 54754, 55306, 55834, 56339, 56822, 57284, 57724, 58144, 58544, 58925,
	59287, 59632, 59959, 60270, 60565, 60844, 61109, 61360, 61598, 61823, 62036, 62238,
	62428, 62608, 62778, 62938, 63090, 63233, 63368, 63495, 63615, 63728, 63835, 63935,
	64030, 64119, 64203, 64283, 64357, 64427, 64494, 64556, 64614, 64669, 64721, 64770,
	64816, 64859, 64900, 64938, 64974, 65008, 65039, 65069, 65097, 65124, 65149, 65172,
	65194, 65215, 65234, 65252, 65269, 65285, 65300, 65315, 65328, 65341, 65352, 65364,
	65374, 65384, 65393, 65402, 65410, 65417, 65425, 65431, 65438, 65444, 65449, 65454,
	65459, 65464, 65468, 65472, 65476, 65480, 65483, 65486, 65489, 65492, 65495, 65497,
	65500, 65502, 65504, 65506, 65508, 65509, 65511, 65513, 65514,
}

// Logistic returns the logistic function of z/Unit as a chance: Logistic(0) is Certain/2.
func Logistic(z int64) int {
	if z < 0 {
		return Certain - Logistic(-z)
	}
	const step = Unit / 16
	i := z / step
	if i >= int64(len(logisticTable)-1) {
		return int(logisticTable[len(logisticTable)-1])
	}
	low, high := int64(logisticTable[i]), int64(logisticTable[i+1])
	return int(low + (high-low)*(z%step)/step)
}
