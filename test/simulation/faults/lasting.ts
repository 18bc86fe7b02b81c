import type { Network } from '../model-chain/network.ts'
import type { ModelNode, NodeTroubles } from '../model-chain/node.ts'
import type { Random } from '../random.ts'
import type { StoreTroubles } from '../service/guarded-store.ts'
import type { Host } from '../service/host.ts'
import type { LastingFault } from './names.ts'

/** What lasting faults act on. */
export interface Scene {
  network: Network
  host: Host
  store: StoreTroubles
}

/** Starts a fault. @returns what ends it */
type Begin = (scene: Scene, random: Random) => () => void

export const WALLET_FUNDS = 1e12

const pickNode = ({ network }: Scene, random: Random) => random.pick(network.nodes)

function nodeTrouble(trouble: keyof NodeTroubles): Begin {
  return (scene, random) => {
    const node = pickNode(scene, random)
    node.troubles[trouble] = true
    return () => {
      node.troubles[trouble] = false
      node.catchUp()
    }
  }
}

/** A fault of a node that does not last. */
function atOnce(strike: (node: ModelNode, scene: Scene, random: Random) => void): Begin {
  return (scene, random) => {
    strike(pickNode(scene, random), scene, random)
    return () => {}
  }
}

/** What each fault does. */
export const LASTING: Record<LastingFault, Begin> = {
  restart({ host }) {
    void host.restart()
    return () => {}
  },
  'node-down': nodeTrouble('isUnreachable'),
  'node-lags': nodeTrouble('isLagging'),
  'node-isolated': nodeTrouble('isIsolated'),
  'mempool-full': nodeTrouble('isFull'),
  'no-simulation': nodeTrouble('cannotSimulate'),
  deaf: nodeTrouble('isMute'),
  'node-restart': atOnce((node, { network }) => network.restart(node)),
  eviction: atOnce((node, _scene, random) => node.evict(random.int(0, node.waiting().length - 1))),
  'foreign-waiting': atOnce((node, { network }) => network.sendForeign(node)),
  'foreign-in-block': atOnce((_node, { network }) => network.slipIntoNextBlock()),
  'fee-raised': atOnce((node, _scene, random) => {
    node.minGasPrice = random.pick([0.026, 0.05, 0.4])
  }),
  'no-funds'({ network: { ledger } }, random) {
    ledger.change({ balance: random.pick([0, 10_000]) })
    return () => ledger.change({ balance: WALLET_FUNDS })
  },
  'not-whitelisted'({ network: { ledger } }) {
    ledger.change({ isWhitelisted: false })
    return () => ledger.change({ isWhitelisted: true })
  },
  'blocks-halt'({ network: { troubles } }) {
    troubles.isHalted = true
    return () => {
      troubles.isHalted = false
    }
  },
  'blocks-shuffled'({ network: { troubles } }) {
    troubles.isShuffled = true
    return () => {
      troubles.isShuffled = false
    }
  },
  'store-down'({ store }) {
    store.isDown = true
    return () => {
      store.isDown = false
    }
  }
}
