import { atOneHeight, type Conversation } from '../conversation.ts'

const FAR = '1000000000'

/** Blocks without transactions, by height. */
export const blocks: Conversation = {
  name: 'blocks',
  async play(network, note) {
    for (const method of ['block', 'block_results']) {
      for (const height of ['1', '2', '0', '-1', FAR]) {
        note(`${method} ${height}`, await network.call(method, { height }))
      }
      await atOneHeight(network, note, async (noteHere, height) => {
        const at = (of: number) => network.call(method, { height: String(of) })
        noteHere(`${method}, the newest`, await network.call(method))
        noteHere(`${method}, the newest by height`, await at(height))
        noteHere(`${method}, the one before`, await at(height - 1))
        noteHere(`${method}, the next`, await at(height + 1))
      })
    }
  }
}
