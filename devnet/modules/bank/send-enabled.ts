import { AbciError } from '../../chain/errors.ts'
import type { GenesisNode } from '../../chain/genesis-node.ts'
import type { State } from '../../chain/state/state.ts'
import type { Coin } from './coins.ts'

const defaultKey = 'bank/params/default-send-enabled'

function denomKey(denom: string): string {
  return `bank/send-enabled/${denom}`
}

function readBoolean(node: GenesisNode, fallback: boolean): boolean {
  if (node.isAbsent) return fallback
  return typeof node.value === 'boolean' ? node.value : node.fail('must be true or false')
}

/** Writes which denominations may be sent, as `app_state.bank` has it. */
export function initSendEnabled(state: State, bank: GenesisNode): void {
  state.set(defaultKey, readBoolean(bank.optionalField('params').optionalField('default_send_enabled'), true))
  for (const entry of bank.field('send_enabled').items()) {
    state.set(denomKey(entry.field('denom').string()), readBoolean(entry.field('enabled'), false))
  }
}

/** @throws AbciError bank/5 for coins that may not be sent */
export function checkSendEnabled(state: State, coins: readonly Coin[]): void {
  for (const { denom } of coins) {
    const isEnabled = state.get<boolean>(denomKey(denom)) ?? state.get<boolean>(defaultKey)
    if (!isEnabled) {
      throw new AbciError(
        'bank',
        5,
        `${denom} transfers are currently disabled: send transactions are disabled`
      )
    }
  }
}
