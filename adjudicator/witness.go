package adjudicator

// mostWitnessed is how often a player may sign off on a day (UTC): each time is an entry.
const mostWitnessed = 3
