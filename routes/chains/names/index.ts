import { ChainNames } from '../../../schemas/chains.ts'
import { chainRead } from '../chain-read.ts'

export default chainRead(
  ChainNames,
  chains => chains.names(),
  {
    operationId: 'getChainNames',
    summary: 'Short names of the chains',
    description: 'The chains and rails that the chain supports, after the chain filter.'
  },
  Chains => ({ Chains })
)
