import { account } from '../accounts.ts'
import { atOneHeight, type Conversation } from '../conversation.ts'

/** A node that does not have its first blocks any more. */
export const pruned: Conversation = {
  name: 'pruned blocks',
  play: (network, note) =>
    atOneHeight(network, note, async noteHere => {
      for (const method of ['block', 'block_results', 'consensus_params']) {
        noteHere(`${method} 1`, await network.call(method, { height: '1' }))
      }
      noteHere(
        'an account at height 1',
        await network.call('abci_query', {
          path: '/cosmos.auth.v1beta1.Query/Account',
          height: '1',
          data: Buffer.from(`\n.${account('penniless').address}`).toString('hex')
        })
      )
    })
}
