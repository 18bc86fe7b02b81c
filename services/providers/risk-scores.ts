/** What a compliance provider says of an address, from harmless to forbidden (interface 11.3). */
export const riskScores = ['low', 'med', 'high', 'critical'] as const

export type RiskScore = (typeof riskScores)[number]
