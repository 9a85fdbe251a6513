// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Anchors of transparency logs
/// @notice Shows that a checkpoint of a transparency log existed when a block was made. Anyone can anchor a checkpoint of
/// any log. An anchor says that its digest was known at that block. It does not say who made the checkpoint: the signature
/// of the log in the checkpoint says that.
/// @dev Nothing can be changed or removed. The contract has no owner, cannot be upgraded, calls no other contract, and takes
/// no ether. The meaning of an anchor must not depend on the account that sent it, which is why events do not name it.
contract CounterfoilAnchor {
    /// @notice One checkpoint of a transparency log.
    /// @param origin SHA-256 of the origin line of the checkpoint in UTF-8, without its line feed.
    /// @param size The tree size that the checkpoint states.
    /// @param digest SHA-256 of the text of the checkpoint.
    struct Anchor {
        bytes32 origin;
        uint64 size;
        bytes32 digest;
    }

    /// @notice A checkpoint was anchored, for the first time or again.
    event Anchored(bytes32 indexed origin, bytes32 indexed digest, uint64 size);

    /// @notice A call with an empty batch is a mistake of its caller, who would pay for nothing.
    error EmptyBatch();

    /// @dev The number of the block that anchored a digest of an origin first, by keccak256(abi.encode(origin, digest)).
    mapping(bytes32 key => uint256 blockNumber) private firstBlocks;

    /// @notice Anchors one checkpoint. Every call emits the event; only the first one of an origin and a digest is remembered.
    function anchor(bytes32 origin, uint64 size, bytes32 digest) external {
        record(origin, size, digest);
    }

    /// @notice Anchors several checkpoints, in their order. The caller pays for each of them, so a batch is bounded by the gas
    /// of its transaction. The transaction anchors all of them or none.
    function anchorAll(Anchor[] calldata anchors) external {
        if (anchors.length == 0) revert EmptyBatch();
        for (uint256 i = 0; i < anchors.length; ++i) {
            record(anchors[i].origin, anchors[i].size, anchors[i].digest);
        }
    }

    /// @notice The block that anchored this digest of this origin first; 0 when none did.
    /// @dev The number is the one that contracts see. Some second layers give contracts the number of a block of the first layer.
    function firstSeen(bytes32 origin, bytes32 digest) external view returns (uint256 blockNumber) {
        return firstBlocks[keyOf(origin, digest)];
    }

    function record(bytes32 origin, uint64 size, bytes32 digest) private {
        bytes32 key = keyOf(origin, digest);
        if (firstBlocks[key] == 0) firstBlocks[key] = block.number;
        emit Anchored(origin, digest, size);
    }

    /// @dev Both values have 32 bytes, so that no two pairs have the same encoding.
    function keyOf(bytes32 origin, bytes32 digest) private pure returns (bytes32) {
        return keccak256(abi.encode(origin, digest));
    }
}
