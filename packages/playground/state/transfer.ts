import { batch, computed, effect, type Signal, signal, untracked } from '@preact/signals'
import type { schemas } from '../../client/index.ts'
import { chainOf, chains, familyOf, tokenOf, tokensAt } from './catalogue.ts'
import { sampleAddressOf } from './sample-addresses.ts'

/** The user's input in the first step. */
export const transfer = {
  originChain: signal('ETH'),
  originSymbol: signal('USDT'),
  amount: signal('100'),
  targetChain: signal('POL'),
  targetSymbol: signal('USDC'),
  targetAddress: signal(sampleAddressOf('EVM'))
} as const

export interface Scenario {
  readonly name: string
  readonly origin: readonly [chain: string, symbol: string]
  readonly target: readonly [chain: string, symbol: string]
}

/** Form presets for each kind of transfer. */
export const scenarios: readonly Scenario[] = [
  { name: 'Crypto transfer', origin: ['ETH', 'USDT'], target: ['POL', 'USDC'] },
  { name: 'Card payment', origin: ['CC', 'USD'], target: ['POL', 'USDC'] },
  { name: 'Bank payment', origin: ['BANK', 'EUR'], target: ['AVX', 'EURC'] },
  { name: 'Bitcoin transfer', origin: ['BTC', 'BTC'], target: ['ETH', 'WBTC'] },
  { name: 'Token swap', origin: ['ETH', 'USDT'], target: ['BASE', 'EURC'] }
]

export function choose({ origin, target }: Scenario): void {
  batch(() => {
    ;[transfer.originChain.value, transfer.originSymbol.value] = origin
    ;[transfer.targetChain.value, transfer.targetSymbol.value] = target
    transfer.targetAddress.value = sampleAddressOf(familyOf(target[0]))
    transfer.amount.value = origin[0] === 'BTC' ? '0.01' : '100'
  })
}

export function isChosen({ origin, target }: Scenario): boolean {
  const { originChain, originSymbol, targetChain, targetSymbol } = transfer
  const chosen = [originChain.value, originSymbol.value, targetChain.value, targetSymbol.value]
  return [...origin, ...target].join() === chosen.join()
}

/** Returns whether the service lists a scenario's chains. */
export const isOffered = ({ origin, target }: Scenario) =>
  chainOf(origin[0])?.supportedLocations.includes('origin') && chainOf(target[0]) !== undefined

/** Whether the user pays by card or bank transfer. */
export const isRail = computed(() => ['CC', 'BANK'].includes(transfer.originChain.value))

export const origins = computed(() =>
  chains.value.filter(
    ({ supportedLocations, compatibility }) =>
      supportedLocations.includes('origin') && compatibility !== 'CC' && compatibility !== 'BANK'
  )
)
export const targets = computed(() =>
  chains.value.filter(({ supportedLocations }) => supportedLocations.includes('target'))
)

/** Whether the tokens are pegged to different currencies, which requires a swap (interface 5.22). */
export const isSwap = computed(() => {
  const origin = tokenOf(transfer.originChain.value, transfer.originSymbol.value)
  const target = tokenOf(transfer.targetChain.value, transfer.targetSymbol.value)
  return origin !== undefined && target !== undefined && origin.peggedTo !== target.peggedTo
})

export function chooseOrigin(shortName: string): void {
  batch(() => {
    transfer.originChain.value = shortName
    keepSymbol(transfer.originSymbol, tokensAt(shortName, 'origin'))
  })
}

/** Chooses a target chain. Replaces the target address if it belongs to another family. */
export function chooseTarget(shortName: string): void {
  batch(() => {
    const before = familyOf(transfer.targetChain.value)
    const family = familyOf(shortName)
    transfer.targetChain.value = shortName
    if (family !== before) transfer.targetAddress.value = sampleAddressOf(family)
    keepSymbol(transfer.targetSymbol, tokensAt(shortName, 'target'))
  })
}

function keepSymbol(symbol: Signal<string>, tokens: readonly { symbol: string }[]): void {
  if (!tokens.some(token => token.symbol === symbol.value)) symbol.value = tokens[0]?.symbol ?? ''
}

/** Replaces the chosen chains if the service does not list them. */
function keepListed(): void {
  const [origin] = origins.value
  const [target] = targets.value
  if (!isRail.value && origin && !isIn(origins.value, transfer.originChain.value))
    chooseOrigin(origin.shortName)
  if (target && !isIn(targets.value, transfer.targetChain.value)) chooseTarget(target.shortName)
}

const isIn = (list: readonly schemas.Chain[], name: string) =>
  list.some(({ shortName }) => shortName === name)

effect(() => {
  if (chains.value.length > 0) untracked(keepListed)
})
