import { UpstreamRefusalError } from '../../../services/upstream/errors.ts'
import { test } from '../../helpers/tap.ts'

test('does not count a 500 for an unknown id as a failure of the chain API', async t => {
  const result = (reason: string) => {
    const body = { code: 2, message: reason }
    return new UpstreamRefusalError('chain API', 500, body, text => text).result
  }
  t.equal(result('codespace sdk code 38: key not found'), 'refused')
  t.equal(result('the store is closed'), 'failed')
})
