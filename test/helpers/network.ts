/** What tests of the engine and of the server need of a network: a devnet is one, and so is a real chain. */
export interface Network {
  readonly urls: { readonly rpc: string }
  /** RPC URLs of nodes that have the chains which this one continues, oldest first. */
  readonly earlier?: readonly string[]
  readonly addresses: { readonly development: string }
  /** The variables that point a server at this network. */
  env(): Record<string, string>
}
