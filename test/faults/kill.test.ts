import { randomInt } from 'node:crypto'
import { t, test } from '../helpers/tap.ts'
import { killRounds } from './kill-rounds.ts'

const seed = Number(process.env['SEED']) || randomInt(2 ** 31)

// A bound for the case of a fault, not a measure.
t.setTimeout(300_000)

test('kill -9 at random moments under load loses nothing and repeats nothing', t =>
  killRounds(t, { rounds: 2, seed }))
