import { type Static, Type } from '@sinclair/typebox'
import { chainName, decimals, oneOf, text, tokenSymbol } from './leaves.ts'

export const NotModified = Type.Null({
  description: 'The client already has this response: its `etag` is in `if-none-match`'
})

/** The headers of responses with data from the chain (interface 4.25, 4.30). */
const AGE_HEADERS = {
  headers: {
    age: {
      type: 'integer',
      minimum: 0,
      description:
        'Seconds since the data was read from the chain (RFC 9111); up to ten minutes while the chain does not respond.'
    },
    etag: { type: 'string', description: 'For `if-none-match`' }
  }
}

const locations = (description: string) =>
  Type.Array(oneOf(['origin', 'target']), { description, examples: [['origin', 'target']] })

const Token = Type.Object(
  {
    symbol: tokenSymbol(),
    address: text(
      'Contract on the chain, empty for the chain’s own coin; for a rail the payment method',
      '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'
    ),
    decimals: decimals(),
    peggedTo: text('Currency that the token is pegged to', 'USD'),
    protocol: Type.Optional(text('Token standard, if the chain reports it', 'erc20')),
    isPermit2: Type.Optional(
      Type.Boolean({
        description:
          'True for a token that is approved by Permit2: a submission needs `permit2` in its options'
      })
    ),
    supportedLocations: Type.Optional(
      locations(
        'The ends of a transfer at which the token can be used, if they differ from those of its chain'
      )
    )
  },
  { title: 'Token' }
)
export type ChainToken = Static<typeof Token>

const Chain = Type.Object(
  {
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
    isEvm: Type.Boolean({ description: 'Whether users pay with an EVM wallet' }),
    testnet: Type.Boolean({ description: 'Whether it is a test network' }),
    nativeCurrency: Type.Object(
      {
        name: text('Name of the coin that gas is paid in', 'Sepolia Ether'),
        symbol: tokenSymbol({ examples: ['ETH'] }),
        decimals: decimals()
      },
      { description: 'The chain’s own coin' }
    ),
    rpcUrls: Type.Object(
      {
        default: Type.Object(
          {
            http: Type.Array(text('Public RPC of the chain', 'https://sepolia.drpc.org'), {
              description: 'Empty for a rail'
            })
          },
          { description: 'Public RPC URLs' }
        )
      },
      { description: 'RPC URLs in viem’s format' }
    ),
    blockExplorers: Type.Object(
      {
        default: Type.Object(
          {
            name: text('Explorer; empty for a rail', 'Etherscan'),
            url: text('`/tx/{hash}` can be appended to it; empty for a rail', 'https://sepolia.etherscan.io'),
            apiUrl: Type.Optional(
              text('API of the explorer, if known', 'https://api-sepolia.etherscan.io/api')
            )
          },
          { description: 'Default explorer' }
        )
      },
      { description: 'Explorers in viem’s format' }
    ),
    blockTime: Type.Optional(
      Type.Integer({ description: 'Milliseconds between blocks, if known', examples: [12_000] })
    ),
    supportedLocations: locations(
      'The ends of a transfer at which the chain can be used, after the chain filter'
    ),
    supportedTokens: Type.Array(Token, { description: 'Tokens that can be paid or received' }),
    disabled: Type.Boolean({ description: 'True while no transfers from or to this chain are possible' }),
    derivationAlgorithm: text('Kind of the pool’s key; empty for a rail', 'ECDSA')
  },
  { title: 'Chain' }
)

export type Chain = Static<typeof Chain>

export const ChainList = Type.Array(Chain, { description: 'Supported chains, by short name', ...AGE_HEADERS })

const shortNames = (title: string, description: string) =>
  Type.Object(
    { Chains: Type.Array(chainName(), { description: 'Short names', examples: [['ETH', 'POL']] }) },
    { title, description, ...AGE_HEADERS }
  )

export const ChainNames = shortNames('ChainNames', 'Short names, after the chain filter')
export const AvailableChains = shortNames(
  'AvailableChains',
  'Short names of the possible origins, after the chain filter'
)

export const CurrencyNames = Type.Object(
  { Currencies: Type.Array(tokenSymbol(), { description: 'Symbols', examples: [['USDC', 'USDT']] }) },
  { title: 'Currencies', description: 'Symbols on the origin chain', ...AGE_HEADERS }
)

const pagination = Type.Object(
  {
    nextKey: Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page' }),
    total: Type.Integer({ minimum: 0, description: 'Entries of all pages', examples: [14] })
  },
  { title: 'Pagination', description: 'Pagination of the chain; this is the only page' }
)

export const ChainRegistry = Type.Object(
  {
    Chain: Type.Array(
      Type.Object(
        {
          id: Type.Optional(text('The chain’s own number for the network', '8')),
          name: Type.Optional(text('Name of the network', 'Ethereum Sepolia')),
          symbol: chainName({ description: 'Short name; `FIAT` stands for both rails here' }),
          tokens: Type.Array(
            Type.Object(
              {
                symbol: tokenSymbol(),
                address: Type.Optional(
                  text('Contract, or payment method', '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238')
                ),
                decimals: text('Decimals of the token, as a string', '6'),
                peggedTo: Type.Optional(text('Currency that the token is pegged to', 'USD'))
              },
              { additionalProperties: true }
            ),
            { description: 'Tokens of the chain' }
          ),
          disabled: Type.Optional(
            Type.Boolean({ description: 'True while no transfers from or to this chain are possible' })
          ),
          isEvm: Type.Optional(Type.Boolean({ description: 'Whether users pay with an EVM wallet' })),
          derivationAlgorithm: Type.Optional(text('Kind of the pool’s key', 'ECDSA'))
        },
        { title: 'RegistryChain', additionalProperties: true }
      ),
      { description: 'Chains in the registry' }
    ),
    pagination
  },
  { title: 'ChainRegistry', description: 'The chain’s registry, after the chain filter', ...AGE_HEADERS }
)

const holdings = {
  balance: Type.Array(
    Type.Object({
      amount: text('Whole tokens', '1000000'),
      tokenSymbol: tokenSymbol(),
      decimal: text('Decimals of the token, as a string', '6')
    }),
    { description: 'Balance of each token' }
  ),
  nativeGasAmount: text('Balance for gas, in the chain’s own coin', '100')
}

const PoolBalance = Type.Object(
  { index: text('Place in the chain’s list', '0'), chainName: chainName(), ...holdings },
  { title: 'PoolBalance' }
)
export type PoolBalanceView = Static<typeof PoolBalance>

export const PoolBalances = Type.Object(
  { poolBalance: Type.Array(PoolBalance, { description: 'One for each pool' }) },
  { title: 'PoolBalances', description: 'Balances of the pools, after the chain filter', ...AGE_HEADERS }
)

const Pool = Type.Object(
  {
    chainName: chainName(),
    poolAddress: text(
      'Spender to approve, or receiver of a payment, in the chain’s address format; empty if there is none',
      '0x7f9aBfFf70c64d4FA0aFaDfFA84576D7a69D56E7'
    ),
    ...holdings
  },
  { title: 'Pool' }
)
export type Pool = Static<typeof Pool>

export const PoolList = Type.Array(Pool, {
  description: 'One entry per supported chain; the rails have no pool',
  ...AGE_HEADERS
})

export const TssPubkeys = Type.Object(
  {
    tssPubkey: Type.Array(
      Type.Object({
        tssPubKey: text(
          'Public key, hex',
          '02604bd0d1d6049ba8f3cea0eddd2e3afc5ccc8af75d45db379db2c0e5f5486aca'
        ),
        ecdsa: text('Pool address on EVM chains', '0x7f9aBfFf70c64d4FA0aFaDfFA84576D7a69D56E7'),
        eddsa: text('Pool address on Solana', '445pK6Xbu56dGLvGoRY8m3WskAd3QChYxRmyh9nDEFjp'),
        reserved: text('Pool address on Bitcoin; may be empty', 'tb1qg02kssvwejvhr0xtkz9pzxak8x9r8vhd6umkq4')
      }),
      { description: 'The keys; the first entry has the pool addresses' }
    ),
    pagination
  },
  { title: 'TssPubkeys', description: 'The pools’ keys', ...AGE_HEADERS }
)

const textOrNull = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] })

/** @param explorerField name of the field with the explorer's URL, which contains the brand (interface 4.8) */
export function chainEnvironment(explorerField: string) {
  return Type.Object(
    {
      env: oneOf(['mainnet', 'testnet'], { description: 'Networks that the service uses' }),
      [explorerField]: textOrNull('Explorer of the chain; null if none is set', 'https://explorer.example'),
      transferLimitMaxUSDT: textOrNull(
        'Largest transfer in USDT; null while the chain does not respond',
        '10000'
      ),
      paymentPartnerId: textOrNull('For credit-card payments; null if none is set', 'partner-1'),
      backendVersion: text('Version of this service', '0.1.0')
    },
    { title: 'Environment', description: 'Settings for a widget', ...AGE_HEADERS }
  )
}

export const TargetParams = Type.Object({ targetChain: chainName({ examples: ['POL'] }) })
export const PairParams = Type.Object({
  originChain: chainName(),
  targetChain: chainName({ examples: ['POL'] })
})
