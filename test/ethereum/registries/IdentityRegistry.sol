// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The identity registry of ERC-8004, for tests: the functions and events of its interface that a service can meet, and no others.
contract IdentityRegistry {
    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    error ERC721NonexistentToken(uint256 tokenId);

    string private version;
    uint256 private registered;
    mapping(uint256 => address) private owners;
    mapping(uint256 => address) private wallets;
    mapping(uint256 => address) private approvals;
    mapping(uint256 => string) private uris;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    constructor(string memory version_) {
        version = version_;
    }

    modifier onlyOperator(uint256 agentId) {
        address owner = ownerOf(agentId);
        require(
            msg.sender == owner || isApprovedForAll[owner][msg.sender] || msg.sender == approvals[agentId],
            "Not authorized"
        );
        _;
    }

    function getVersion() external view returns (string memory) {
        return version;
    }

    function register(string calldata agentURI) external returns (uint256 agentId) {
        agentId = registered++;
        owners[agentId] = msg.sender;
        wallets[agentId] = msg.sender;
        uris[agentId] = agentURI;
        emit Registered(agentId, agentURI, msg.sender);
        emit Transfer(address(0), msg.sender, agentId);
    }

    function ownerOf(uint256 agentId) public view returns (address owner) {
        owner = owners[agentId];
        if (owner == address(0)) revert ERC721NonexistentToken(agentId);
    }

    function getAgentWallet(uint256 agentId) external view returns (address) {
        ownerOf(agentId);
        return wallets[agentId];
    }

    function tokenURI(uint256 agentId) external view returns (string memory) {
        ownerOf(agentId);
        return uris[agentId];
    }

    function getApproved(uint256 agentId) external view returns (address) {
        ownerOf(agentId);
        return approvals[agentId];
    }

    function setAgentURI(uint256 agentId, string calldata newURI) external onlyOperator(agentId) {
        uris[agentId] = newURI;
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    /// The interface also wants a signature of the wallet, which tests do not need.
    function setAgentWallet(uint256 agentId, address wallet) external onlyOperator(agentId) {
        wallets[agentId] = wallet;
    }

    function approve(address operator, uint256 agentId) external onlyOperator(agentId) {
        approvals[agentId] = operator;
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
    }

    /// The wallet ends with a transfer, as the interface says.
    function transferFrom(address from, address to, uint256 agentId) external onlyOperator(agentId) {
        require(owners[agentId] == from && to != address(0), "Not the owner");
        owners[agentId] = to;
        wallets[agentId] = address(0);
        approvals[agentId] = address(0);
        emit Transfer(from, to, agentId);
    }
}
