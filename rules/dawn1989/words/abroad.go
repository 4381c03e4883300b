package words

// speech is how a language that is not English says when an event happens.
type speech struct {
	// events are words for it; behind or before them, first and after say when it happens, and
	// without that it does not.
	events, first, after, without []string
}

// speeches are German, Polish, Czech, Hungarian, French, Spanish, Italian, Dutch, Swedish and Romanian,
// without their accents.
var speeches = []speech{
	{[]string{"EREIGNIS"}, []string{"ZUERST", "VORHER", "ZUVOR"}, []string{"DANACH", "NACHHER", "HINTERHER", "DANN", "ZULETZT"}, []string{"OHNE", "KEIN"}},
	{[]string{"WYDARZENIE", "WYDARZENIA", "ZDARZENIE", "ZDARZENIA"}, []string{"NAJPIERW", "PRZED", "PRZEDTEM"}, []string{"PO", "POTEM", "NASTEPNIE", "NA KONIEC"}, []string{"BEZ"}},
	{[]string{"UDALOST", "UDALOSTI"}, []string{"NEJPRVE", "NEJPRV", "NEJDRIV", "NEJDRIVE", "NAPRED", "PREDTIM"}, []string{"PO", "POTOM", "PAK", "NAKONEC"}, []string{"BEZ"}},
	{[]string{"ESEMENY", "ESEMENYE", "ESEMENYT", "ESEMENYKENT"}, []string{"ELOBB", "ELOSZOR", "ELOTTE"}, []string{"UTANA", "AZUTAN", "KESOBB", "VEGUL"}, []string{"NELKUL"}},
	{[]string{"EVENEMENT"}, []string{"DABORD", "AVANT", "EN PREMIER"}, []string{"APRES", "ENSUITE"}, []string{"SANS"}},
	{[]string{"EVENTO"}, []string{"PRIMERO", "ANTES", "PRIMA"}, []string{"DESPUES", "LUEGO", "DOPO", "POI"}, []string{"SIN", "SENZA"}},
	{[]string{"GEBEURTENIS"}, []string{"EERST"}, []string{"DAARNA", "ACHTERAF"}, []string{"ZONDER"}},
	{[]string{"HANDELSE"}, []string{"FORST"}, []string{"SEDAN", "EFTERAT"}, []string{"UTAN"}},
	{[]string{"EVENIMENT", "EVENIMENTUL"}, []string{"INTAI", "INAINTE"}, []string{"DUPA", "APOI"}, []string{"FARA"}},
}

// abroad are the words of all these languages that say something of an event: when says which; nil
// stands for the event alone.
func abroad(when func(speech) []string) []string {
	var out []string
	for _, s := range speeches {
		for _, e := range s.events {
			if when == nil {
				out = append(out, e)
				continue
			}
			for _, w := range when(s) {
				out = append(out, e+" "+w, w+" "+e)
			}
		}
	}
	return out
}
