import { account, base64, RECIPIENT, send, sign } from '../accounts.ts'
import type { Conversation } from '../conversation.ts'
import { included } from '../included.ts'
import { MEMPOOL_SIZE } from '../limits.ts'
import { at } from '../network.ts'

/** The mempool's order, its followers and its limits. */
export const mempool: Conversation = {
  name: 'the mempool',
  async play(network, note) {
    const from = account('mempool')
    const large = await sign(from, [send(from.address, RECIPIENT, 1)], { memo: 'x'.repeat(200_000) })
    note('larger than a block', await network.call('broadcast_tx_sync', { tx: base64(large) }))

    const txs: Uint8Array[] = []
    for (let sequence = 0; sequence < MEMPOOL_SIZE + 2; sequence++) {
      txs.push(await sign(from, [send(from.address, RECIPIENT, sequence + 1)], { sequence }))
    }
    await network.nextBlock()
    for (const [index, tx] of txs.entries()) {
      note(`transaction ${index}`, await network.call('broadcast_tx_sync', { tx: base64(tx) }))
    }
    const last = txs[MEMPOOL_SIZE - 1]
    if (last === undefined) return
    note('the last one', at((await included(network, last)).answer.body, 'result', 'tx_result'))
  }
}
