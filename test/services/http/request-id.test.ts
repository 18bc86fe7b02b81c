import { requestId } from '../../../services/http/request-id.ts'
import { test } from '../../helpers/tap.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('a safe id of the client is kept', async t => {
  for (const id of ['a', 'A9_.:=+-', 'x'.repeat(128)]) t.equal(requestId(id), id)
})

test('any other id is replaced by a new one', async t => {
  for (const id of [undefined, '', 'x'.repeat(129), 'a b', 'a\n', '"a"', 'ü', ['a', 'b']]) {
    t.match(requestId(id), UUID)
  }
  t.not(requestId(''), requestId(''))
})
