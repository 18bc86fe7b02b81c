import { computed } from '@preact/signals'
import { client, dataOf, type Pool } from '../service.ts'
import { createLoader, readyValue } from './loadable.ts'
import { transfer } from './transfer.ts'

const pools = createLoader<Pool[]>()

export const loadPools = () => pools.load(signal => dataOf(client.api.GET('/chains/pool', { signal })))

/** The pool's address on the origin chain, which is the spender to approve (interface 4.18). */
export const poolAddress = computed(
  () =>
    readyValue(pools.state.value)?.find(({ chainName }) => chainName === transfer.originChain.value)
      ?.poolAddress
)
