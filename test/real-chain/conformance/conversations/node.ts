import { atOneHeight, type Conversation } from '../conversation.ts'

/** The node, its genesis and its parameters. */
export const aboutTheNode: Conversation = {
  name: 'about the node',
  async play(network, note) {
    const ask = async (method: string, params?: object) =>
      note(`${method} ${JSON.stringify(params ?? {})}`, await network.call(method, params))

    await ask('health')
    await ask('net_info')
    await ask('genesis')
    await ask('genesis_chunked')
    await ask('genesis_chunked', { chunk: '0' })
    await ask('genesis_chunked', { chunk: '1' })
    await ask('genesis_chunked', { chunk: '-1' })
    await ask('genesis_chunked', { chunk: 0 })
    await ask('num_unconfirmed_txs')
    await ask('unconfirmed_txs')
    await ask('unconfirmed_txs', { limit: '0' })
    await atOneHeight(network, note, async (noteHere, height) => {
      const here = async (step: string, method: string, params?: object) =>
        noteHere(step, await network.call(method, params))
      await here('status', 'status')
      await here('abci_info', 'abci_info')
      await here('validators', 'validators')
      await here('validators of this block', 'validators', { height: String(height) })
      await here('validators of the next block', 'validators', { height: String(height + 1) })
      await here('validators of the block after it', 'validators', { height: String(height + 2) })
      await here('consensus_params', 'consensus_params')
      await here('consensus_params of the next block', 'consensus_params', { height: String(height + 1) })
      await here('consensus_params of the block after it', 'consensus_params', { height: String(height + 2) })
    })
    await ask('validators', { height: '1' })
    await ask('validators', { height: '0' })
    await ask('validators', { height: '1', page: '1', per_page: '1' })
    await ask('validators', { height: '1', page: '2' })
    await ask('validators', { height: '1', page: '0' })
    await ask('consensus_params', { height: '1' })
    await ask('consensus_params', { height: '-1' })
  }
}
