import { test } from '../../helpers/tap.ts'
import { repeatUnderLoad } from './replicas.ts'

for (const [signal, what] of [
  ['SIGINT', 'restarted'],
  ['SIGKILL', 'killed']
] as const) {
  test(`replicas lose no submission when the database is ${what} under load`, t =>
    repeatUnderLoad(t, async ({ postgres }, { moreAnswers, random }) => {
      await moreAnswers(random.int(1, 60))
      await postgres.stop(signal)
      await postgres.start()
      await moreAnswers(30)
    }))
}
