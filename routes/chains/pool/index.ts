import { PoolList } from '../../../schemas/chains.ts'
import { chainRead } from '../chain-read.ts'

export default chainRead(PoolList, chains => chains.pools(), {
  operationId: 'getPools',
  summary: 'Pool addresses and balances',
  description: 'The pool of each supported chain: the address that users approve or pay to, and its balances.'
})
