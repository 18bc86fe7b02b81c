import { ChainRegistry } from '../../../schemas/chains.ts'
import { chainRead } from '../chain-read.ts'

export default chainRead(ChainRegistry, chains => chains.registry(), {
  operationId: 'getChainRegistry',
  summary: 'The chain’s own registry',
  description:
    'The chain’s answer, unchanged apart from the chain filter. Numbers are texts; `FIAT` stands for both rails.'
})
