import { randomInt } from 'node:crypto'
import { test } from '../../helpers/tap.ts'
import { killRounds } from '../kill-rounds.ts'

const rounds = Number(process.env['ROUNDS']) || 50
const seed = Number(process.env['SEED']) || randomInt(2 ** 31)

test('SIGKILL at random moments under load neither loses nor repeats a transfer', t =>
  killRounds(t, { rounds, seed }))
