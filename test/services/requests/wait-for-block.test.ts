import { waitForBlock } from '../../../services/requests/wait-for-block.ts'
import type { Submission } from '../../../services/submission/contract.ts'
import { StoreUnavailableError } from '../../../services/submission/errors.ts'
import { test } from '../../helpers/tap.ts'

test('reports a submission as accepted if the store fails while its client waits', async t => {
  const accepted: Submission = { submissionId: 's-1', status: 'queued', createdAt: '', updatedAt: '' }
  const settled = () => Promise.reject(new StoreUnavailableError('is down'))
  t.equal(await waitForBlock({ settled }, accepted, 1), accepted)
})
