import { atOneHeight, type Conversation } from '../conversation.ts'

const FAR = 1_000_000_000

/** Blocks without transactions, by height. */
export const blocks: Conversation = {
  name: 'blocks',
  play: (network, note) =>
    atOneHeight(network, note, async (noteHere, newest) => {
      for (const method of ['block', 'block_results']) {
        noteHere(`${method}, the newest`, await network.call(method))
        const heights = { newest, last: newest - 1, next: newest + 1, 1: 1, 2: 2, 0: 0, '-1': -1, far: FAR }
        for (const [step, height] of Object.entries(heights)) {
          noteHere(`${method} by height: ${step}`, await network.call(method, { height: String(height) }))
        }
      }
    })
}
