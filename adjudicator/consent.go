package adjudicator

// mostRequests is how often a player may ask for an act of one kind on a day (UTC).
const mostRequests = 3
