import { randomInt } from 'node:crypto'
import { t, test } from '../../helpers/tap.ts'
import { killRounds } from '../kill-rounds.ts'

const rounds = Number(process.env['ROUNDS']) || 50
const seed = Number(process.env['SEED']) || randomInt(2 ** 31)

// A bound for the case of a fault, not a measure.
t.setTimeout(60_000 + rounds * 20_000)

test('kill -9 at random moments under load, many times', t => killRounds(t, { rounds, seed }))
