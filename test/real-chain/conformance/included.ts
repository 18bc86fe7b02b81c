import { until } from '../../helpers/until.ts'
import { base64, hashBytes } from './accounts.ts'
import { at, type HttpAnswer, type Network } from './network.ts'

/** Waits until the node's index has a transaction. */
export async function included(
  network: Network,
  tx: Uint8Array
): Promise<{ answer: HttpAnswer; height: string; base64: string }> {
  const hash = base64(hashBytes(tx))
  const answer = await until(async () => {
    const found = await network.call('tx', { hash })
    return at(found.body, 'result') !== undefined && found
  }, 'the transaction is in a block')
  return { answer, height: String(at(answer.body, 'result', 'height')), base64: hash }
}
