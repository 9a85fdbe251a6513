// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Identities {
    function ownerOf(uint256 agentId) external view returns (address);
    function getApproved(uint256 agentId) external view returns (address);
    function isApprovedForAll(address owner, address operator) external view returns (bool);
}

/// The reputation registry of ERC-8004, for tests: feedback can be given, read and revoked.
contract ReputationRegistry {
    event NewFeedback(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        int128 value,
        uint8 valueDecimals,
        string indexed indexedTag1,
        string tag1,
        string tag2,
        string endpoint,
        string feedbackURI,
        bytes32 feedbackHash
    );
    event FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex);

    struct Feedback {
        int128 value;
        uint8 valueDecimals;
        string tag1;
        string tag2;
        bool isRevoked;
    }

    string private version;
    address private identities;
    mapping(uint256 => mapping(address => Feedback[])) private given;
    mapping(uint256 => address[]) private clients;

    constructor(string memory version_, address identities_) {
        version = version_;
        identities = identities_;
    }

    function getVersion() external view returns (string memory) {
        return version;
    }

    function getIdentityRegistry() external view returns (address) {
        return identities;
    }

    function giveFeedback(
        uint256 agentId,
        int128 value,
        uint8 valueDecimals,
        string calldata tag1,
        string calldata tag2,
        string calldata endpoint,
        string calldata feedbackURI,
        bytes32 feedbackHash
    ) external {
        require(valueDecimals <= 18, "too many decimals");
        address owner = Identities(identities).ownerOf(agentId);
        require(
            msg.sender != owner && msg.sender != Identities(identities).getApproved(agentId)
                && !Identities(identities).isApprovedForAll(owner, msg.sender),
            "Self-feedback not allowed"
        );
        Feedback[] storage own = given[agentId][msg.sender];
        if (own.length == 0) clients[agentId].push(msg.sender);
        own.push(Feedback(value, valueDecimals, tag1, tag2, false));
        emit NewFeedback(
            agentId,
            msg.sender,
            uint64(own.length),
            value,
            valueDecimals,
            tag1,
            tag1,
            tag2,
            endpoint,
            feedbackURI,
            feedbackHash
        );
    }

    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external {
        Feedback storage one = given[agentId][msg.sender][feedbackIndex - 1];
        require(!one.isRevoked, "Already revoked");
        one.isRevoked = true;
        emit FeedbackRevoked(agentId, msg.sender, feedbackIndex);
    }

    function getClients(uint256 agentId) external view returns (address[] memory) {
        return clients[agentId];
    }

    function getLastIndex(uint256 agentId, address client) external view returns (uint64) {
        return uint64(given[agentId][client].length);
    }

    /// The index counts from 1.
    function readFeedback(uint256 agentId, address client, uint64 feedbackIndex)
        external
        view
        returns (int128 value, uint8 valueDecimals, string memory tag1, string memory tag2, bool isRevoked)
    {
        Feedback storage one = given[agentId][client][feedbackIndex - 1];
        return (one.value, one.valueDecimals, one.tag1, one.tag2, one.isRevoked);
    }
}
