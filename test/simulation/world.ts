import { createDice } from './faults/dice.ts'
import { WALLET_FUNDS } from './faults/lasting.ts'
import type { Fault } from './faults/names.ts'
import { scheduleFaults } from './faults/schedule.ts'
import { createLedger } from './model-chain/ledger.ts'
import { createNetwork } from './model-chain/network.ts'
import { createCosts } from './oracle/costs.ts'
import { createInvariants } from './oracle/invariants.ts'
import { createWitness } from './oracle/witness.ts'
import type { Plan } from './plan.ts'
import { createRandom } from './random.ts'
import { createHost } from './service/host.ts'
import type { BrokenRule } from './service/replica.ts'
import { CAPS, GAS_PRICE } from './service/settings.ts'
import { WALLET_ADDRESS } from './service/wallet.ts'
import { createDisk } from './store/disk.ts'
import type { SharedDatabase } from './store/memory-database.ts'
import { createSubmitters } from './submitters.ts'
import type { VirtualClock } from './time/virtual-clock.ts'
import type { Trace } from './trace.ts'

/** Faults that let nodes make the wallet pay up to the maximum gas price. */
const PRICE_FAULTS: readonly Fault[] = ['fee-raised', 'fee-creeps', 'fee-absurd']

function highestGasPrice({ faults }: Plan): number {
  return PRICE_FAULTS.some(fault => faults.has(fault)) ? CAPS.maxPriceFactor * GAS_PRICE : GAS_PRICE
}

export function createWorld(options: {
  plan: Plan
  clock: VirtualClock
  trace: Trace
  fail: (reason: string) => void
  database: SharedDatabase
  broken: BrokenRule | undefined
}) {
  const { plan, clock, trace, fail, database, broken } = options
  const random = createRandom(plan.seed, 'world')
  const common = { plan, clock, random, trace, fail }
  const ledger = createLedger({
    address: WALLET_ADDRESS,
    height: random.int(1, 50),
    state: { sequence: plan.firstSequence, balance: WALLET_FUNDS, isWhitelisted: true, pause: undefined },
    blockGas: plan.blockGas,
    sdk: plan.sdk,
    worldTime: clock.worldTime
  })
  const { nodeCount, blockMs } = plan
  const network = createNetwork({ ...common, ledger, address: WALLET_ADDRESS, nodeCount, blockMs })
  const healthy = random.pick(network.nodes)
  const spareNodes = network.nodes.filter(node => node !== healthy)
  const disk = createDisk(database.context)
  const witness = createWitness(disk, ledger, fail)
  const dice = createDice(plan.seed, plan.faults)
  const storeTroubles = { isDown: false }
  const invariants = createInvariants(disk, ledger, fail)
  const costs = createCosts(disk, ledger, highestGasPrice(plan))
  const check = async () => {
    await disk.look()
    invariants.check()
    costs.check()
  }
  const host = createHost({
    ...common,
    database,
    broken,
    storeTroubles,
    network,
    dice,
    onStoreChange: check,
    costs
  })
  const submitters = createSubmitters({ ...common, host, witness })

  function setBack(restore: () => void): void {
    host.killFor(async () => {
      restore()
      await disk.look()
      trace(() => `store: set back to ${disk.submissions.size} submissions`)
      invariants.forget()
      witness.forget()
    })
  }

  scheduleFaults(
    plan,
    { network, host, disk, database, spareNodes, store: storeTroubles, setBack, wallClock: clock },
    { clock, trace }
  )
  network.start()
  host.start()
  submitters.start(plan.submissions)
  return { costs, ledger, disk, witness, dice, host, submitters }
}
