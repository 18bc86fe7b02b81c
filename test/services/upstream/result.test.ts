import { UpstreamRefusalError } from '../../../services/upstream/errors.ts'
import { resultOf } from '../../../services/upstream/result.ts'
import { test } from '../../helpers/tap.ts'

test('an id that the chain does not have is no failure of its REST API, though the status is 500', async t => {
  const refusal = (reason: string) => resultOf(new UpstreamRefusalError('chain API', 500, 2, reason))
  t.equal(refusal('codespace sdk code 38: key not found'), 'refused')
  t.equal(refusal('the store is closed'), 'failed')
})
