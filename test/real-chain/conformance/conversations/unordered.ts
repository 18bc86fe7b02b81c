import { account, base64, RECIPIENT, send, sign, type TxOptions } from '../accounts.ts'
import type { Conversation } from '../conversation.ts'
import { included } from '../included.ts'

const MINUTE = 60
/** The same for both networks, so that the transactions are the same. */
const now = Math.floor(Date.now() / 60_000) * 60 + 5 * MINUTE

/** Transactions without a sequence. */
export const unordered: Conversation = {
  name: 'unordered transactions',
  sdk: '0.53',
  async play(network, note) {
    const from = account('unordered')
    const message = send(from.address, RECIPIENT, 1)
    const broadcast = async (step: string, options: TxOptions) => {
      const tx = await sign(from, [message], options)
      note(step, await network.call('broadcast_tx_sync', { tx: base64(tx) }))
      return tx
    }
    await broadcast('far ahead', { unorderedUntil: now + 30 * MINUTE })
    await broadcast('timed out', { unorderedUntil: now - 10 * MINUTE })
    await broadcast('without a timeout', { unorderedUntil: 0 })
    await broadcast('with a sequence', { unorderedUntil: now + MINUTE, sequence: 1 })
    await broadcast('another chain', { unorderedUntil: now + MINUTE, signed: { chainId: 'another-chain' } })
    await network.nextBlock()
    const good = await broadcast('good', { unorderedUntil: now + MINUTE })
    note('good, in its block', (await included(network, good)).answer)
    await broadcast('the same timeout again', { unorderedUntil: now + MINUTE, memo: 'again' })
    await broadcast('an ordered one after them', {})
  }
}
