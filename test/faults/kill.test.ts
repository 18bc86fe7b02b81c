import { randomInt } from 'node:crypto'
import { test } from '../helpers/tap.ts'
import { killRounds } from './kill-rounds.ts'

const seed = Number(process.env['SEED']) || randomInt(2 ** 31)

test('kill -9 at random moments under load loses nothing and repeats nothing', t =>
  killRounds(t, { rounds: 2, seed }))
