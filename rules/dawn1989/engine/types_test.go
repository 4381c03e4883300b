package engine

// The JSON of positions and views as docs/record.md describes it. encoding/json writes these types
// with the same bytes as the codec.

// counts is a number for each side.
type counts struct {
	Democrat  int `json:"democrat"`
	Communist int `json:"communist"`
}

type cardPiles struct {
	Democrat  []int `json:"democrat"`
	Communist []int `json:"communist"`
}

type powerJSON struct {
	HeldBy    string `json:"held_by"`
	TimesHeld int    `json:"times_held"`
}

type trackJSON struct {
	Failed    bool `json:"failed,omitempty"`
	Attempted bool `json:"attempted,omitempty"`
	Seventh   bool `json:"seventh,omitempty"`
	Eighth    bool `json:"eighth,omitempty"`
}

type effectsJSON struct {
	Cards       []int   `json:"cards"`
	Happened    []int   `json:"happened"`
	Prudence    *counts `json:"prudence,omitempty"`
	StandFast   string  `json:"stand_fast,omitempty"`
	Debt        string  `json:"debt,omitempty"`
	WallFallen  bool    `json:"wall_fallen,omitempty"`
	ExtraRound  bool    `json:"extra_round,omitempty"`
	CrowdStruck bool    `json:"crowd_struck,omitempty"`
	TyrantGone  bool    `json:"tyrant_gone,omitempty"`
	Party       bool    `json:"party,omitempty"`
	Announced   int     `json:"announced,omitempty"`
	StasiFrom   int     `json:"stasi_from,omitempty"`
	Ceausescu   bool    `json:"ceausescu,omitempty"`
}

type struggleHands struct {
	Democrat  []string `json:"democrat"`
	Communist []string `json:"communist"`
}

type struggleJSON struct {
	Country  string        `json:"country"`
	Player   string        `json:"player"`
	Attacker string        `json:"attacker"`
	Hands    struggleHands `json:"hands"`
	Drawn    []string      `json:"drawn,omitempty"`
	Deck     []string      `json:"deck"`
	Banned   []string      `json:"banned"`
	Stakes   int           `json:"stakes"`
	Attack   string        `json:"attack,omitempty"`
	Suit     string        `json:"suit,omitempty"`
	Winner   string        `json:"winner,omitempty"`
	Won      string        `json:"won,omitempty"`
	Lose     int           `json:"lose,omitempty"`
	Last     bool          `json:"last,omitempty"`
}

type bidJSON struct {
	Chair int    `json:"chair"`
	Side  string `json:"side"`
	Give  int    `json:"give"`
}

type frameJSON struct {
	Proc    string  `json:"proc"`
	Step    string  `json:"step"`
	Card    int     `json:"card,omitempty"`
	Side    string  `json:"side"`
	Mode    string  `json:"mode,omitempty"`
	With    int     `json:"with,omitempty"`
	Source  string  `json:"source,omitempty"`
	N       int     `json:"n,omitempty"`
	Country string  `json:"country,omitempty"`
	Space   string  `json:"space,omitempty"`
	Border  bool    `json:"border,omitempty"`
	Midway  bool    `json:"midway,omitempty"`
	Open    bool    `json:"open,omitempty"`
	May     bool    `json:"may,omitempty"`
	Take    bool    `json:"take,omitempty"`
	Result  int     `json:"result,omitempty"`
	Won     *counts `json:"won,omitempty"`
}

type pendingJSON struct {
	ID     uint32         `json:"id,omitempty"`
	Seat   string         `json:"seat,omitempty"`
	Kind   string         `json:"kind"`
	Source string         `json:"source,omitempty"`
	Left   int            `json:"left,omitempty"`
	Given  int            `json:"given,omitempty"`
	Midway bool           `json:"midway,omitempty"`
	Per    int            `json:"per,omitempty"`
	May    bool           `json:"may,omitempty"`
	UpTo   bool           `json:"up_to,omitempty"`
	Secret bool           `json:"secret,omitempty"`
	Tally  map[string]int `json:"tally,omitempty"`
}

type resultJSON struct {
	Winner string `json:"winner"`
	Ending string `json:"ending"`
}

// positionJSON is a position as docs/record.md describes it.
type positionJSON struct {
	Revision  int                  `json:"revision"`
	Extra     int                  `json:"extra,omitempty"`
	ExtraTo   string               `json:"extra_to,omitempty"`
	Bids      []bidJSON            `json:"bids,omitempty"`
	Seats     cardlessSeats        `json:"seats"`
	Turn      int                  `json:"turn"`
	Round     int                  `json:"round"`
	Phase     string               `json:"phase"`
	Phasing   string               `json:"phasing"`
	VP        int                  `json:"vp"`
	Support   map[string]counts    `json:"support"`
	Destroyed string               `json:"destroyed,omitempty"`
	Hands     cardPiles            `json:"hands"`
	Known     *cardPiles           `json:"known,omitempty"`
	Deck      []int                `json:"deck"`
	Discard   []int                `json:"discard"`
	Removed   []int                `json:"removed"`
	InPlay    []int                `json:"in_play"`
	Table     []int                `json:"table"`
	Shown     []int                `json:"shown,omitempty"`
	Samizdat  int                  `json:"samizdat,omitempty"`
	Future    []int                `json:"future"`
	Tiananmen counts               `json:"tiananmen"`
	Attempts  map[string]trackJSON `json:"attempts,omitempty"`
	USSR      string               `json:"ussr"`
	Power     map[string]powerJSON `json:"power"`
	Effects   effectsJSON          `json:"effects"`
	Tyrant    string               `json:"tyrant,omitempty"`
	Struggle  *struggleJSON        `json:"struggle,omitempty"`
	Stack     []frameJSON          `json:"stack"`
	Reach     []string             `json:"reach,omitempty"`
	LastID    uint32               `json:"last_id"`
	Play      uint32               `json:"play"`
	Pending   []pendingJSON        `json:"pending"`
	Result    *resultJSON          `json:"result,omitempty"`
}

// cardlessSeats says which chair plays each side.
type cardlessSeats = counts

// viewJSON is the JSON of a view as docs/record.md describes it: a position without hidden facts,
// and the numbers of hidden cards.
type viewJSON struct {
	positionJSON
	HandCount     counts  `json:"hand_count"`
	DeckCount     int     `json:"deck_count"`
	SamizdatCount int     `json:"samizdat_count,omitempty"`
	ShownCount    int     `json:"shown_count,omitempty"`
	StruggleCount *counts `json:"struggle_count,omitempty"`
	// StrugglePlayed names the open power struggle cards.
	StrugglePlayed []string `json:"struggle_played,omitempty"`
}
