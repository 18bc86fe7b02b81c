import { test } from '../../helpers/tap.ts'
import { killRounds } from '../kill-rounds.ts'

test('SIGKILL at random moments under load neither loses nor repeats a transfer', t =>
  killRounds(t, { rounds: 50 }))
