import { Histories, mayBeAccepted } from '../../packages/client/history.ts'
import { test } from '../helpers/tap.ts'

test('the history drops the oldest bodies, but none that is still being submitted', async t => {
  const histories = new Histories()
  const current = histories.begin('current')
  for (const index of [...Array(1_001).keys()].toSpliced(2, 0, 0)) {
    const history = histories.begin(`body ${index}`)
    history.isExecuted = true
    histories.end(`body ${index}`, history)
  }
  const of = (text: string) => mayBeAccepted(histories.begin(text))
  t.notOk(of('body 1'), 'the oldest body is evicted')
  t.ok(of('body 0'), 'a body submitted again is not the oldest')
  t.ok(of('body 1000'))
  t.equal(histories.begin('current'), current)
})
