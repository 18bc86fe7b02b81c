import { test } from '../../helpers/tap.ts'
import { repeatUnderLoad } from './replicas.ts'

test('no request fails during a rolling update', async t => {
  const { failed } = await repeatUnderLoad(t, async ({ running, start, retire }, { moreAnswers }) => {
    for (const oldest of running.slice(0, 2)) {
      await start()
      t.equal(await retire(oldest), 0)
      await moreAnswers(20)
    }
  })
  t.strictSame(failed, [])
})
