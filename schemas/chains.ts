import { type Static, type TSchema, Type } from '@sinclair/typebox'
import {
  chainName,
  component,
  decimals,
  flag,
  integer,
  list,
  oneOf,
  open,
  text,
  titled,
  tokenSymbol
} from './leaves.ts'

export const NotModified = Type.Null({
  description: 'The client already has this response: its `etag` is in `if-none-match`'
})

/** Adds the headers of responses with data from the chain (interface 4.25, 4.30). */
const aged = <T extends TSchema>(schema: T): T => ({
  ...schema,
  headers: {
    age: {
      type: 'integer',
      minimum: 0,
      description:
        'Seconds since the data was read from the chain (RFC 9111); up to ten minutes while the chain does not respond.'
    },
    etag: { type: 'string', description: 'For `if-none-match`' }
  }
})

const locations = (description: string) =>
  list(description, oneOf(['origin', 'target']), { examples: [['origin', 'target']] })

const CONTRACT = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'
const POOL = '0x7f9aBfFf70c64d4FA0aFaDfFA84576D7a69D56E7'
const peggedTo = text('Currency that the token is pegged to', 'USD')
const isEvm = flag('Whether users pay with an EVM wallet')
const disabled = flag('True while no transfers from or to this chain are possible')
const decimalsText = text('Decimals of the token, as a string', '6')

const Token = titled('Token', {
  symbol: tokenSymbol(),
  address: text(
    'Contract on the chain, empty for the chain’s own coin; for a rail the payment method',
    CONTRACT
  ),
  decimals: decimals(),
  peggedTo,
  protocol: Type.Optional(text('Token standard, if the chain reports it', 'erc20')),
  isPermit2: Type.Optional(
    flag('True for a token that is approved by Permit2: a submission needs `permit2` in its options')
  ),
  supportedLocations: Type.Optional(
    locations('The ends of a transfer at which the token can be used, if they differ from those of its chain')
  )
})
export type ChainToken = Static<typeof Token>

const Chain = titled('Chain', {
  id: Type.Integer({
    description: 'EVM chain id, or this service’s own number for another chain',
    examples: [11155111]
  }),
  name: text('Name of the network', 'Sepolia'),
  shortName: chainName(),
  compatibility: oneOf(['EVM', 'SELF', 'BTC', 'CC', 'BANK'], {
    description:
      'How a user pays: with an EVM wallet, a wallet of that chain, Bitcoin, a card or a bank transfer'
  }),
  isEvm,
  testnet: flag('Whether it is a test network'),
  nativeCurrency: component('ChainCurrency', 'The chain’s own coin', {
    name: text('Name of the coin that gas is paid in', 'Sepolia Ether'),
    symbol: tokenSymbol({ examples: ['ETH'] }),
    decimals: decimals()
  }),
  rpcUrls: component('ChainRpcUrls', 'RPC URLs in viem’s format', {
    default: component('PublicRpcUrls', 'Public RPC URLs', {
      http: list('Empty for a rail', text('Public RPC of the chain', 'https://sepolia.drpc.org'))
    })
  }),
  blockExplorers: component('ChainExplorers', 'Explorers in viem’s format', {
    default: component('ChainExplorer', 'Default explorer', {
      name: text('Explorer; empty for a rail', 'Etherscan'),
      url: text('`/tx/{hash}` can be appended to it; empty for a rail', 'https://sepolia.etherscan.io'),
      apiUrl: Type.Optional(text('API of the explorer, if known', 'https://api-sepolia.etherscan.io/api'))
    })
  }),
  blockTime: Type.Optional(
    Type.Integer({ description: 'Milliseconds between blocks, if known', examples: [12_000] })
  ),
  supportedLocations: locations(
    'The ends of a transfer at which the chain can be used, after the chain filter'
  ),
  supportedTokens: list('Tokens that can be paid or received', Token),
  disabled,
  derivationAlgorithm: text('Kind of the pool’s key; empty for a rail', 'ECDSA')
})
export type Chain = Static<typeof Chain>

export const ChainList = aged(list('Supported chains, by short name', Chain))

const shortNames = (title: string, description: string) =>
  aged(
    component(title, description, {
      Chains: list('Short names', chainName(), { examples: [['ETH', 'POL']] })
    })
  )

export const ChainNames = shortNames('ChainNames', 'Short names, after the chain filter')
export const AvailableChains = shortNames(
  'AvailableChains',
  'Short names of the possible origins, after the chain filter'
)

export const CurrencyNames = aged(
  component('Currencies', 'Symbols on the origin chain', {
    Currencies: list('Symbols', tokenSymbol(), { examples: [['USDC', 'USDT']] })
  })
)

const pagination = component('Pagination', 'Pagination of the chain; this is the only page', {
  nextKey: Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page' }),
  total: integer(0, 'Entries of all pages', 14)
})
export type Page = Static<typeof pagination>

const RegistryToken = titled('RegistryToken', {
  symbol: tokenSymbol(),
  address: Type.Optional(text('Contract, or payment method', CONTRACT)),
  decimals: decimalsText,
  peggedTo: Type.Optional(peggedTo)
})

const RegistryChain = titled('RegistryChain', {
  id: Type.Optional(text('The chain’s own number for the network', '8')),
  name: Type.Optional(text('Name of the network', 'Ethereum Sepolia')),
  symbol: chainName({ description: 'Short name; `FIAT` stands for both rails here' }),
  tokens: list('Tokens of the chain', open(RegistryToken)),
  disabled: Type.Optional(disabled),
  isEvm: Type.Optional(isEvm),
  derivationAlgorithm: Type.Optional(text('Kind of the pool’s key', 'ECDSA'))
})

export const ChainRegistry = aged(
  component('ChainRegistry', 'The chain’s registry, after the chain filter', {
    Chain: list('Chains in the registry', open(RegistryChain)),
    pagination
  })
)

const holdings = {
  balance: list(
    'Balance of each token',
    titled('PoolTokenBalance', {
      amount: text('Whole tokens', '1000000'),
      tokenSymbol: tokenSymbol(),
      decimal: decimalsText
    })
  ),
  nativeGasAmount: text('Balance for gas, in the chain’s own coin', '100')
}

const PoolBalance = titled('PoolBalance', {
  index: text('Place in the chain’s list', '0'),
  chainName: chainName(),
  ...holdings
})
export type PoolBalanceView = Static<typeof PoolBalance>

export const PoolBalances = aged(
  component('PoolBalances', 'Balances of the pools, after the chain filter', {
    poolBalance: list('One for each pool', PoolBalance)
  })
)

const Pool = titled('Pool', {
  chainName: chainName(),
  poolAddress: text(
    'Spender to approve, or receiver of a payment, in the chain’s address format; empty if there is none',
    POOL
  ),
  ...holdings
})
export type Pool = Static<typeof Pool>

export const PoolList = aged(list('One entry per supported chain; the rails have no pool', Pool))

export const PoolKeys = titled('PoolKeys', {
  tssPubKey: text('Public key, hex', '02604bd0d1d6049ba8f3cea0eddd2e3afc5ccc8af75d45db379db2c0e5f5486aca'),
  ecdsa: text('Pool address on EVM chains', POOL),
  eddsa: text('Pool address on Solana', '445pK6Xbu56dGLvGoRY8m3WskAd3QChYxRmyh9nDEFjp'),
  reserved: text('Pool address on Bitcoin; may be empty', 'tb1qznd5zwx4dghvlvggsx5muw2dnuepnpdj7ud0ys')
})
export type PoolKeys = Static<typeof PoolKeys>

export const TssPubkeys = aged(
  component('TssPubkeys', 'The pools’ keys', {
    tssPubkey: list('The keys; the first entry has the pool addresses', PoolKeys),
    pagination
  })
)

const textOrNull = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] })

/** @param explorerField name of the field with the explorer's URL, which contains the brand (interface 4.8) */
export const chainEnvironment = (explorerField: string) =>
  aged(
    component('Environment', 'Settings for a widget', {
      env: oneOf(['mainnet', 'testnet'], { description: 'Networks that the service uses' }),
      [explorerField]: textOrNull('Explorer of the chain; null if none is set', 'https://explorer.example'),
      transferLimitMaxUSDT: textOrNull(
        'Largest transfer in USDT; null while the chain does not respond',
        '10000'
      ),
      paymentPartnerId: textOrNull('For credit-card payments; null if none is set', 'partner-1'),
      backendVersion: text('Version of this service', '0.2.0')
    })
  )

export const TargetParams = Type.Object({ targetChain: chainName({ examples: ['POL'] }) })
export const PairParams = Type.Object({
  originChain: chainName(),
  targetChain: chainName({ examples: ['POL'] })
})
