// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A wallet whose owner signs for it (ERC-1271). As a Safe, it accepts an empty signature of a hash that it has approved.
contract Wallet {
    address private immutable owner;
    mapping(bytes32 => bool) private approved;

    constructor(address owner_) {
        owner = owner_;
    }

    modifier ofOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function execute(address to, bytes calldata data) external ofOwner {
        (bool succeeded, ) = to.call(data);
        require(succeeded, "the call failed");
    }

    function approveHash(bytes32 hash) external ofOwner {
        approved[hash] = true;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length == 0) {
            require(approved[hash], "hash not approved");
            return this.isValidSignature.selector;
        }
        if (signature.length != 65) return 0xffffffff;
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        return ecrecover(hash, uint8(signature[64]), r, s) == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

contract Factory {
    function deploy(address owner) external returns (Wallet) {
        return new Wallet{salt: 0}(owner);
    }
}
