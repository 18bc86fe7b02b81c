import { randomInt } from 'node:crypto'
import { test } from '../../helpers/tap.ts'
import { killRounds } from '../kill-rounds.ts'

const rounds = Number(process.env['ROUNDS']) || 50
const seed = Number(process.env['SEED']) || randomInt(2 ** 31)

test('loses and repeats nothing when killed with SIGKILL at random moments under load', t =>
  killRounds(t, { rounds, seed }))
