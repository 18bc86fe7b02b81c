import { bech32, bech32m } from '@scure/base'
import { decodeBase58check } from './base58check.ts'

const LEGACY_LENGTH = 21

interface Network {
  name: string
  /** Version bytes of P2PKH and P2SH addresses. */
  versions: readonly number[]
  prefix: string
}

const networks = {
  mainnet: { name: 'main network', versions: [0x00, 0x05], prefix: 'bc' },
  testnet: { name: 'test network', versions: [0x6f, 0xc4], prefix: 'tb' }
} satisfies Record<string, Network>

/** Returns what is wrong with a Bitcoin address, or undefined. Accepts P2PKH, P2SH, segwit version 0 and taproot. */
export function bitcoinProblem(address: string, environment: keyof typeof networks): string | undefined {
  const network = networks[environment]
  return isLegacy(address, network) || isSegwit(address, network)
    ? undefined
    : `must be a Bitcoin address of the ${network.name}, with a valid checksum`
}

function isLegacy(address: string, { versions }: Network): boolean {
  const bytes = decodeBase58check(address)
  return bytes?.length === LEGACY_LENGTH && versions.some(version => version === bytes[0])
}

/** Accepts only witness versions 0 and 1. Later versions have no rules yet, so any miner could take the funds. */
function isSegwit(address: string, { prefix }: Network): boolean {
  const version0 = witnessProgram(bech32, address, prefix, 0)
  const version1 = witnessProgram(bech32m, address, prefix, 1)
  return version0?.length === 20 || version0?.length === 32 || version1?.length === 32
}

function witnessProgram(codec: typeof bech32, address: string, prefix: string, version: number) {
  const decoded = codec.decodeUnsafe(address)
  if (decoded?.prefix !== prefix || decoded.words[0] !== version) return undefined
  return codec.fromWordsUnsafe(decoded.words.slice(1)) ?? undefined
}
