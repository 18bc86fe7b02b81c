import { account, base64 } from '../accounts.ts'
import { atOneHeight, type Conversation } from '../conversation.ts'

/** A node that does not have its first blocks any more. */
export const pruned: Conversation = {
  name: 'pruned blocks',
  play: (network, note) =>
    atOneHeight(network, note, async noteHere => {
      for (const method of ['block', 'block_results', 'commit', 'header', 'validators', 'consensus_params']) {
        noteHere(`${method} 1`, await network.call(method, { height: '1' }))
      }
      const ask = async (step: string, method: string, params?: object) =>
        noteHere(step, await network.call(method, params))
      await ask('blockchain 1 to 2', 'blockchain', { minHeight: '1', maxHeight: '2' })
      await ask('search', 'block_search', { query: 'block.height<3' })
      await ask('a hash', 'block_by_hash', { hash: base64(new Uint8Array(32)) })
      await ask('state at height 1', 'abci_query', {
        path: '/cosmos.bank.v1beta1.Query/TotalSupply',
        height: '1',
        data: ''
      })
      await ask('an account at height 1', 'abci_query', {
        path: '/cosmos.auth.v1beta1.Query/Account',
        height: '1',
        data: Buffer.from(`\n.${account('penniless').address}`).toString('hex')
      })
    })
}
