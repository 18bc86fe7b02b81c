// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What the tokens have in common. Anyone may mint. The constructors write only immutables, so that the code that they return
/// can be placed at any address.
abstract contract Balances {
    bytes32 private immutable packedSymbol;
    uint8 public immutable decimals;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(bytes32 symbol_, uint8 decimals_) {
        packedSymbol = symbol_;
        decimals = decimals_;
    }

    function symbol() public view returns (string memory) {
        uint256 length = 0;
        while (length < 32 && packedSymbol[length] != 0) length++;
        bytes memory characters = new bytes(length);
        for (uint256 i = 0; i < length; i++) characters[i] = packedSymbol[i];
        return string(characters);
    }

    function name() external view returns (string memory) {
        return symbol();
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function setAllowance(address owner, address spender, uint256 value) internal {
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function move(address from, address to, uint256 value) internal {
        require(to != address(0), "transfer to the zero address");
        require(balanceOf[from] >= value, "insufficient balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function spend(address owner, address spender, uint256 value) internal {
        uint256 allowed = allowance[owner][spender];
        require(allowed >= value, "insufficient allowance");
        if (allowed != type(uint256).max) allowance[owner][spender] = allowed - value;
    }
}

/// An ERC-20.
contract Token is Balances {
    constructor(bytes32 symbol_, uint8 decimals_) Balances(symbol_, decimals_) {}

    function approve(address spender, uint256 value) external returns (bool) {
        setAllowance(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        spend(from, msg.sender, value);
        move(from, to, value);
        return true;
    }
}

/// An ERC-20 with EIP-2612.
contract PermitToken is Token {
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    string public constant version = "1";
    mapping(address => uint256) public nonces;

    constructor(bytes32 symbol_, uint8 decimals_) Token(symbol_, decimals_) {}

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN, keccak256(bytes(symbol())), keccak256(bytes(version)), block.chainid, address(this))
        );
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, "expired deadline");
        bytes32 content = keccak256(abi.encode(PERMIT, owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), content)), v, r, s);
        require(signer != address(0) && signer == owner, "invalid signature");
        setAllowance(owner, spender, value);
    }
}

/// Behaves as USDT on Ethereum: its functions return nothing, and an allowance other than zero can only be set to zero.
contract UsdtToken is Balances {
    constructor(bytes32 symbol_, uint8 decimals_) Balances(symbol_, decimals_) {}

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0, "set the allowance to zero first");
        setAllowance(msg.sender, spender, value);
    }

    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        spend(from, msg.sender, value);
        move(from, to, value);
    }
}
