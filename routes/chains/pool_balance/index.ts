import { PoolBalances } from '../../../schemas/chains.ts'
import { chainRead } from '../chain-read.ts'

export default chainRead(
  PoolBalances,
  chains => chains.poolBalances(),
  {
    operationId: 'getPoolBalances',
    summary: 'Balances of the pools',
    description: 'The balances of each pool, as the chain reports them.'
  },
  poolBalance => ({ poolBalance })
)
