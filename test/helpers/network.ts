/** A network for tests of the engine and the server: a devnet or a real chain. */
export interface Network {
  readonly urls: { readonly rpc: string }
  readonly addresses: { readonly development: string }
  /** The variables that point a server at this network. */
  env(): Record<string, string>
}
