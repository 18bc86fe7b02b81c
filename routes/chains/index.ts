import { ChainList } from '../../schemas/chains.ts'
import { chainRead } from './chain-read.ts'

export default chainRead(ChainList, chains => chains.list(), {
  operationId: 'getChains',
  summary: 'Supported chains and their tokens',
  description:
    'The supported chains and rails, with their tokens and state from the chain’s registry. A chain that the ' +
    'chain filter excludes both as origin and as target is left out.'
})
