//! Keys of Azure that carry the mark of their service inside.

use super::{Rule, keyed, middle};
use crate::class::Class;
use crate::detect::middle::Middle;

/// A key of 32 bytes in base64, with the mark behind the 33rd character.
const SHORT: Middle = Middle::new(Class::Base64, 33, Class::Base64, 6).after_to(7);

/// A key of 64 bytes in base64, with the mark behind the 76th.
const LONG: Middle = Middle::new(Class::Base64, 76, Class::Base64, 7).after_to(8);

pub(crate) const RULES: &[Rule] = &[
    middle("azure-storage-key", "Azure storage account key", &["+ASt"], LONG),
    middle("azure-cosmos-key", "Azure Cosmos DB key", &["ACDb"], LONG),
    middle("azure-batch-key", "Azure Batch account key", &["+ABa"], LONG),
    middle("azure-api-management-key", "Azure API Management key", &["APIM"], LONG),
    middle("azure-service-bus-key", "Azure Service Bus key", &["+ASb"], SHORT),
    middle("azure-event-hub-key", "Azure Event Hubs key", &["+AEh"], SHORT),
    middle("azure-relay-key", "Azure Relay key", &["+ARm"], SHORT),
    middle("azure-iot-key", "Azure IoT Hub key", &["AIoT"], SHORT),
    middle("azure-redis-key", "Azure Cache for Redis key", &["AzCa"], SHORT),
    middle("azure-machine-learning-key", "Azure Machine Learning key", &["+AMC"], SHORT),
    middle(
        "azure-function-key",
        "Azure Functions key",
        &["AzFu"],
        Middle::new(Class::Base64, 44, Class::Base64, 6).after_to(8),
    ),
    middle(
        "azure-search-key",
        "Azure AI Search key",
        &["AzSe"],
        Middle::new(Class::Alnum, 42, Class::Alnum, 6).after_to(6),
    ),
    middle(
        "azure-registry-key",
        "Azure Container Registry password",
        &["+ACR"],
        Middle::new(Class::Base64, 42, Class::Alnum, 6).after_to(6),
    ),
    middle(
        "azure-devops-token",
        "Azure DevOps personal access token",
        &["AZDO"],
        Middle::new(Class::Alnum, 76, Class::Alnum, 4).after_to(4),
    ),
    middle(
        "azure-ai-key",
        "Azure AI services key",
        &["JQQJ99"],
        Middle::new(Class::Alnum, 52, Class::Alnum, 20).after_to(32),
    ),
    middle(
        "azure-client-secret",
        "Azure client secret",
        &["7Q~", "8Q~"],
        Middle::new(Class::Credential, 3, Class::Credential, 31).after_to(34),
    ),
    keyed("azure-account-key", "Key of an Azure account", &["accountkey"], Class::Base64, 88),
    keyed(
        "azure-shared-access-key",
        "Azure shared access key",
        &["sharedaccesskey"],
        Class::Base64,
        44,
    ),
];
