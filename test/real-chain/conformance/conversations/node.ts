import { atOneHeight, type Conversation } from '../conversation.ts'

/** The node, its parameters and its newest block. */
export const aboutTheNode: Conversation = {
  name: 'about the node',
  async play(network, note) {
    const ask = async (method: string, params?: object) =>
      note(`${method} ${JSON.stringify(params ?? {})}`, await network.call(method, params))

    await ask('health')
    await ask('nothing')
    await atOneHeight(network, note, async (noteHere, height) => {
      const here = async (step: string, method: string, params?: object) =>
        noteHere(step, await network.call(method, params))
      await here('status', 'status')
      await here('consensus_params', 'consensus_params')
      await here('consensus_params of the next block', 'consensus_params', { height: String(height + 1) })
      await here('consensus_params of the block after it', 'consensus_params', { height: String(height + 2) })
    })
    await ask('consensus_params', { height: '1' })
    await ask('consensus_params', { height: '-1' })

    const socket = await network.connect()
    const ids = ['announcements', 'again']
    for (const id of ids) {
      note(`subscribe, ${id}`, await socket.ask(id, 'subscribe', { query: "tm.event='NewBlockHeader'" }))
    }
    note('a header is announced', await socket.next())
    socket.close()
  }
}
